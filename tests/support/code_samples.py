"""Source files in eight languages: each has several blocks, and one that answers "median depth of the
probes".
"""

from dataclasses import dataclass
from textwrap import dedent


@dataclass(frozen=True)
class CodeSample:
    """A file, and the blocks of it that stand whole in a snippet, the one about the median first."""

    language: str
    text: str
    median: str
    others: tuple[str, ...]


def _sample(language: str, *parts: str) -> CodeSample:
    """A file of these blocks; the second is the one about the median, the first is what it imports or
    declares.
    """
    blocks = [dedent(part).strip("\n") for part in parts]
    return CodeSample(language, "\n\n".join(blocks) + "\n", blocks[1], tuple(blocks[2:]))


CODE_SAMPLES = (
    _sample(
        "python",
        """
        import math
        from functools import cache
        """,
        '''
        @cache
        def median_depth(probes: tuple[float, ...]) -> float:
            """The median depth of the probes.

            The mean of the two in the middle where their number is even.
            """
            ordered = sorted(probes)

            middle = len(ordered) // 2
            return ordered[middle]
        ''',
        '''
        class Gauge:
            """Reads the water level (in centimetres) at one place."""

            def __init__(self, name: str) -> None:
                self.name = name

            def level(self, hours: list[int]) -> float:
                return math.fsum(hours) / len(hours)
        ''',
        """
        def write_report(path: str) -> None:
            with open(path, "w") as file:
                file.write("tides\\n")
        """,
    ),
    _sample(
        "javascript",
        """
        const fs = require("fs");
        """,
        """
        // The median depth of the probes, in centimetres.
        function medianDepth(probes) {
          const ordered = [...probes].sort((a, b) => a - b);

          return ordered[Math.floor(ordered.length / 2)];
        }
        """,
        """
        class Gauge {
          constructor(name) {
            this.name = name;
          }

          level(hours) {
            return hours.reduce((sum, hour) => sum + hour, 0);
          }
        }
        """,
        """
        const writeReport = (path) => {
          fs.writeFileSync(path, "tides");
        };
        """,
    ),
    _sample(
        "typescript",
        """
        import { readFile } from "fs";
        """,
        """
        /** The median depth of the probes. */
        export function medianDepth(probes: number[]): number {
          const ordered: number[] = [...probes].sort((a, b) => a - b);

          return ordered[Math.floor(ordered.length / 2)];
        }
        """,
        """
        interface Gauge {
          readonly name: string;
          level(hours: number[]): number;
        }
        """,
        """
        export type Tide = { high: number; low: number };
        """,
    ),
    _sample(
        "go",
        """
        package tides

        import "sort"
        """,
        """
        // MedianDepth is the median depth of the probes.
        func MedianDepth(probes []float64) float64 {
        \tsort.Float64s(probes)

        \tif len(probes) == 0 {
        \t\treturn 0
        \t}
        \treturn probes[len(probes)/2]
        }
        """,
        """
        // Gauge reads the water level.
        type Gauge struct {
        \tName string
        }
        """,
        """
        func (g *Gauge) Level(hours []int) int {
        \ttotal := 0
        \tfor _, hour := range hours {
        \t\ttotal += hour
        \t}
        \treturn total
        }
        """,
    ),
    _sample(
        "java",
        """
        package tides;

        import java.util.Arrays;
        """,
        """
        /** The median depth of the probes. */
        @FunctionalInterface
        public interface MedianDepth {
            double of(double[] probes);
        }
        """,
        """
        public class Gauge {
            private final String name;

            public Gauge(String name) {
                this.name = name;
            }

            public int level(int[] hours) {
                return Arrays.stream(hours).sum();
            }
        }
        """,
    ),
    _sample(
        "c",
        """
        #include <stdio.h>
        #include <stdlib.h>
        """,
        """
        /* The median depth of the probes, which are sorted. */
        static double median_depth(const double *probes, size_t count)
        {
            if (count == 0) {
                return 0.0;
            }

            return probes[count / 2];
        }
        """,
        """
        struct gauge {
            char name[16];
            int level;
        };
        """,
        """
        int main(void)
        {
            printf("tides\\n");
            return 0;
        }
        """,
    ),
    _sample(
        "cpp",
        """
        #include <algorithm>
        #include <vector>
        """,
        """
        // The median depth of the probes.
        template <typename T>
        T median_depth(std::vector<T> probes) {
            std::sort(probes.begin(), probes.end());

            return probes[probes.size() / 2];
        }
        """,
        """
        class Gauge {
        public:
            explicit Gauge(std::string name) : name_(std::move(name)) {}

        private:
            std::string name_;
        };
        """,
    ),
    _sample(
        "rust",
        """
        use std::fmt;
        """,
        """
        /// The median depth of the probes.
        #[must_use]
        pub fn median_depth(probes: &mut Vec<f64>) -> f64 {
            probes.sort_by(|a, b| a.total_cmp(b));

            probes[probes.len() / 2]
        }
        """,
        """
        #[derive(Debug)]
        pub struct Gauge {
            name: String,
        }
        """,
        """
        impl Gauge {
            fn level(&self, hours: &[i64]) -> i64 {
                hours.iter().sum()
            }
        }
        """,
    ),
)
