"""Transcripts that hosts keep of finished sessions: queued, read, and merged with what hooks have logged."""
