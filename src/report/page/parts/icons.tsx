import type { ResultStatus } from '../../../run/result.ts'
import { statusNames } from '../state/format.ts'

const paths: Record<ResultStatus, string> = {
  success: 'M3.5 8.5 6.5 11.5 12.5 4.5',
  failure: 'M4.5 4.5 11.5 11.5M11.5 4.5 4.5 11.5',
  skipped: 'M3.5 4 7.5 8 3.5 12M12 4V12',
  not_run: 'M4 8H12',
}

/** A status as a shape and a colour, with its name for those who see neither. */
export function StatusIcon({ status }: { status: ResultStatus }) {
  return (
    <svg class={`status ${status}`} viewBox="0 0 16 16" role="img" aria-label={statusNames[status]}>
      <path d={paths[status]} />
    </svg>
  )
}
