"""Prints the tests that took longest, and those that this machine could not run.

FILE is a report in JUnit's format, as cargo-nextest writes it.
"""

import argparse
import collections
import re
import xml.etree.ElementTree as tree


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--count", type=int, default=10, help="how many tests to print")
    arguments = parser.parse_args()

    cases = list(tree.parse(arguments.file).getroot().iter("testcase"))
    cases.sort(key=lambda case: float(case.get("time")), reverse=True)
    total = sum(float(case.get("time")) for case in cases)
    print(f"{len(cases)} tests took {total:.0f} s, one after the other; the longest:")
    for case in cases[: arguments.count]:
        print(f"{float(case.get('time')):8.1f} s  {case.get('classname')} {case.get('name')}")
    missing = collections.defaultdict(list)
    for case in cases:
        # lit says in a line of its own why it leaves a test out.
        found = re.search(r"unavailable features: (.*)", case.findtext("system-out") or "")
        if found:
            missing[found.group(1)].append(case.get("name"))
    for features, names in sorted(missing.items()):
        print(f"not run, for want of {features}: {', '.join(sorted(names))}")


if __name__ == "__main__":
    main()
