"""What answers questions: derived from vault and journal, thrown away and rebuilt at will."""
