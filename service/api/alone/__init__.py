"""A table of one person and AI players in the page itself, for times without a network.

`engine` runs in the browser, in a worker: the same modules of rules, game and AI players as in the service. It answers
the requests of the page about such a table as the service does, so the page draws it with the same screens.
`bundle` says which files the page loads for that, and `pages` sends them.
"""
