import type { Data } from '../state/data.ts'
import { StatusIcon } from '../parts/icons.tsx'
import { toHash, type Route } from '../state/route.ts'

const mostShown = 20

type Failure = { route: Route; name: string; suite: string; file: string; error: string }

/** What failed, with the first line of why: suites that did not load and steps. */
export function Failures({ data }: { data: Data }) {
  const failures = data.suites.flatMap((_, number) => listFailures(data, number))
  if (failures.length === 0) return null
  return (
    <section>
      <h2>
        Failures{' '}
        <small>
          {failures.length > mostShown
            ? `first ${mostShown} of ${failures.length}; f goes to the next`
            : failures.length}
        </small>
      </h2>
      <ul class="failures">
        {failures.slice(0, mostShown).map(({ route, name, suite, file, error }) => (
          <li>
            <a href={toHash(route, data)}>
              <StatusIcon status="failure" />
              <span>
                <b>{name}</b>
                {suite !== '' && <small>{suite}</small>}
                <small class="file">{file}</small>
                {error !== '' && <code class="why">{error}</code>}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function listFailures(data: Data, number: number): Failure[] {
  const suite = data.suites[number] as Data['suites'][number]
  const whole =
    suite.error === undefined
      ? []
      : [
          {
            route: { view: 'suite', suite: number } as const,
            name: suite.suite_name,
            suite: '',
            file: suite.file_path,
            error: suite.error,
          },
        ]
  const steps = (data.steps[number] ?? [])
    .filter(({ status }) => status === 'failure')
    .map(({ place, name, error = '', line }) => ({
      route: { view: 'step', suite: number, place } as const,
      name,
      suite: suite.suite_name,
      file: line === undefined ? suite.file_path : `${suite.file_path}:${line}`,
      error,
    }))
  return [...whole, ...steps]
}
