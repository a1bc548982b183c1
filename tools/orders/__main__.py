"""Run an order of a table again, and print its steps and what is wrong: `python -m tools.orders SEED`."""

import sys

from tools.orders.house import BASES, Arena

if __name__ == "__main__":
    seed = int(sys.argv[1])
    arena = Arena(seed, BASES[seed % len(BASES)])
    wrong = arena.run()
    for step in arena.order.steps:
        print(f"{step.at - arena.order.steps[0].at:7} ms  {step.actor:9} {step.call}")
    for event in arena.store.events(arena.table, arena.base.state["version"], 1_000):
        print(event["seq"], event["type"])
    print(*wrong or ["nothing is wrong"], sep="\n")
