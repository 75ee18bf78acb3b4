"""Compare the simulation of load with loads whose answer is known by hand."""

from tests.benchmarks.simulate_load import BUSY, CORES, LOADS, MEASURED, Costs, Load, fewest, simulated


def test_load_of_almost_nothing_takes_the_bare_time() -> None:
    costs = Costs(service=0.002, router=0.001, database=0.001, watcher=0.0, flush=0.003, standby=0.004)
    quiet = Load("quiet", playing=1_000, every=10_000, watching=0)
    found = simulated(quiet, costs, services=1, servers=1)
    assert 0.008 < found.p50 < 0.010  # its own work and both waits; no router, no queue
    assert max(found.busiest) < 0.01


def test_machine_is_as_busy_as_its_work() -> None:
    costs = Costs(service=0.004, router=0.0, database=0.002, watcher=0.001, flush=0.0, standby=0.0)
    load = Load("half", playing=50_000, every=100, watching=0)  # 500 a second
    found = simulated(load, costs, services=1, servers=1)
    assert abs(found.busiest[0] - 500 * 0.004 / CORES) < 0.05
    assert abs(found.busiest[2] - 500 * 0.002 / CORES) < 0.05
    watched = simulated(load._replace(watching=2), costs, services=1, servers=1)
    assert abs(watched.busiest[0] - 500 * 0.006 / CORES) < 0.05


def test_more_orders_never_need_fewer_machines() -> None:
    needs = [fewest(Load("", playing=100_000, every=every, watching=1), MEASURED)[:2] for every in (5_000, 500, 100)]
    assert needs == sorted(needs)
    assert needs[0] == (1, 1)


def test_load_beyond_any_number_of_services_returns_0() -> None:
    slow = MEASURED._replace(database=1.0)
    services, _, found = fewest(LOADS[1], slow)
    assert services == 0
    assert max(found.busiest) > BUSY
