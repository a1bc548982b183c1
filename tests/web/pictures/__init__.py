"""Pictures of every screen of the page, to compare before and after a change of its sources.

    python -m tests.web.pictures record               # run the service, and keep what it answers to each screen
    python -m tests.web.pictures draw var/before      # draw all screens from those answers
    python -m tests.web.pictures draw var/after --client ../other/service/web/client
    python -m tests.web.pictures compare var/before var/after
    python -m tests.web.pictures unused               # selectors of the styles that match nothing on any screen

Screens are drawn from recorded answers, at the time of the recording, so two runs with the same sources give the same
pictures to the bit.
"""
