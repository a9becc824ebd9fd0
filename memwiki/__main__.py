"""`python -m memwiki` and the installed `memwiki` command."""


def main() -> None:
    """Run the command line."""
    from .cli import main as run

    run()


if __name__ == "__main__":
    main()
