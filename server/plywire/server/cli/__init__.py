"""The `plywire` command.

Each command is one module with a `main`; what it needs it imports when it runs, so that
`plywire --help` stays quick and never loads Numba.
"""
