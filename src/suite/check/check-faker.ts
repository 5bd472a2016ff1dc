import { isInstalled } from '../../interpolation/load-optional.ts'
import type { LoadContext } from '../load-context.ts'
import type { PlacedReference } from '../reads/placed-reference.ts'

/** Reports the first `{{$faker…}}` of a suite where the optional package for it is not installed. */
export function checkFaker(references: readonly PlacedReference[], context: LoadContext): void {
  const first = references.find(({ kind }) => kind === 'faker')
  if (first && !isInstalled('@faker-js/faker/locale/en'))
    context.reportAt(first.range, {
      code: 'bad-value',
      message: 'Generated data needs the package `@faker-js/faker`, which is not installed.',
      hint: 'Run `npm install --save-dev @faker-js/faker`.',
    })
}
