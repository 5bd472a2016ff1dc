import type { Data } from './values.ts'

/** What a project tells of itself by declaring more members; `suitecase types` writes one for the option `extend`. */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type -- members are declared elsewhere
export interface Register {}

type Registered = Register extends { extension: infer Given } ? Given : object
type Part<Key extends string> = Registered extends Record<Key, infer Found> ? Found : object

type Operands = { any: Data; text: string; number: number; flag: boolean; list: readonly Data[] }
type OperandOf<Operator> = Operator extends { readonly operand: infer Kind extends keyof Operands }
  ? Operands[Kind]
  : Data

/** Operators of the project's own, with what they take. */
export type OwnOperators = {
  readonly [Name in keyof Part<'operators'>]?: OperandOf<Part<'operators'>[Name]>
}

/** Names of the project's own `auth` schemes. */
export type OwnScheme = keyof Part<'auth'>
