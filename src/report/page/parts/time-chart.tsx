import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { formatMs } from '../../performance/format-ms.ts'
import type { Data } from '../state/data.ts'

type Points = { times: number[]; passed: (number | null)[]; failed: (number | null)[] }

/** Every request of the run: when it was sent and how long it took. */
export function TimeChart({ data }: { data: Data }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (!element) return undefined
    const points = listPoints(data)
    const draw = (): uPlot => drawChart(element, points)
    let chart = draw()
    const redraw = (): void => {
      chart.destroy()
      chart = draw()
    }
    // The theme's colours are read when the chart is drawn.
    const themes = new MutationObserver(redraw)
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', redraw)
    const sizes = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
    sizes.observe(element)
    return () => {
      themes.disconnect()
      sizes.disconnect()
      scheme.removeEventListener('change', redraw)
      chart.destroy()
    }
  }, [data])
  if (data.report.summary.requests === 0) return null
  return (
    <section class="chart wide">
      <h2>Requests over the run</h2>
      <div
        class="time-chart"
        ref={box}
        role="img"
        aria-label="Every request by the time it was sent and how long it took; the same figures are in the tables."
      />
    </section>
  )
}

const height = 190

/** Labelled lines of the logarithmic axis, in ms. */
const decades = [0.1, 1, 10, 100, 1000, 10_000, 100_000]

// A `const enum` of uPlot, which cannot be imported under `isolatedModules`.
// oxlint-disable-next-line typescript/no-unsafe-enum-assignment
const logarithmic = 3 as uPlot.Scale.Distr

function listPoints({ suites, steps }: Data): Points {
  const first = Math.min(...suites.filter((suite) => suite.start > 0).map((suite) => suite.start))
  const sent = steps
    .flat()
    .filter((step) => step.request >= 0 && step.offset >= 0)
    .map((step) => ({ at: ((suites[step.suite]?.start ?? first) - first + step.offset) / 1000, step }))
    .sort((a, b) => a.at - b.at)
  return {
    times: sent.map(({ at }) => at),
    passed: sent.map(({ step }) => (step.status === 'failure' ? null : Math.max(step.request, 0.1))),
    failed: sent.map(({ step }) => (step.status === 'failure' ? Math.max(step.request, 0.1) : null)),
  }
}

/** Room on both sides, so that no dot lies on the axis. */
function widen(_chart: uPlot, first: number, last: number): [number, number] {
  const room = (last - first || 1) * 0.02
  return [Math.max(0, first - room), last + room]
}

function drawChart(element: HTMLElement, points: Points): uPlot {
  const style = getComputedStyle(document.documentElement)
  const color = (name: string): string => style.getPropertyValue(name).trim()
  const axis = {
    stroke: color('--muted'),
    font: `11px ${style.getPropertyValue('font-family')}`,
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
  }
  const dots = (name: string): uPlot.Series => ({
    stroke: color(name),
    paths: () => null,
    points: { show: true, size: 5, fill: color(name), width: 0 },
  })
  return new uPlot(
    {
      width: element.clientWidth,
      height,
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false, range: widen }, y: { distr: logarithmic } },
      axes: [
        { ...axis, size: 26, values: (_, ticks) => ticks.map((tick) => `${tick} s`) },
        {
          ...axis,
          size: 62,
          splits: () => decades,
          values: (_, ticks) => ticks.map(formatMs),
        },
      ],
      series: [{}, dots('--accent'), dots('--failure')],
    },
    [points.times, points.passed, points.failed],
    element,
  )
}
