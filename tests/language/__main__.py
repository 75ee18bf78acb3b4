"""Print the counts of each smell and lower the ceilings to them: `python -m tests.language`."""

from collections import Counter

from tests.language.counts import ceilings, counted, lowered, write


def main() -> None:
    """Print, for each smell, its counts in code and in text that users read; then lower the ceilings."""
    now = counted()
    totals: dict[str, Counter[str]] = {"code": Counter(), "text": Counter()}
    for (_, readers, name), number in now.items():
        totals[readers][name] += number
    for name in sorted(totals["code"] | totals["text"]):
        print(f"{name:16} code {totals['code'][name]:5}  text {totals['text'][name]:5}")
    print(f"{'total':16} code {totals['code'].total():5}  text {totals['text'].total():5}")
    write(lowered(ceilings(), now))


if __name__ == "__main__":
    main()
