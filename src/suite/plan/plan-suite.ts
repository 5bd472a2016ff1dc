import { pickFields, type JsonObject } from '../../json.ts'
import { checkSteps } from '../check/check-steps.ts'
import { checkFlow } from '../check/check-flow.ts'
import { checkBaseUrl, checkConnection } from '../check/check-request.ts'
import { checkGraphql, checkMarkup, checkSchemas } from '../check/check-languages.ts'
import { collectTemplates, type CollectedTemplates } from '../reads/collect-templates.ts'
import { keepValid } from '../schema/describe-issue.ts'
import { followVariables, groupReferences, listNeeds, setReads } from '../reads/list-reads.ts'
import type { PlacedReference } from '../reads/list-reads.ts'
import type { LoadContext } from '../load-context.ts'
import { planMocks, planSkip, planSteps } from './plan-steps.ts'
import type { SuitePlan } from './plan.ts'
import { readRows } from '../read-rows.ts'
import { suiteSchema, type SuiteInput } from '../schema/schema.ts'
import { shareSettings } from '../shared/share-settings.ts'
import { hasTemplate } from '../../interpolation/template.ts'
import { readMilliseconds } from '../../text/units.ts'
import { findNode } from '../source-tree.ts'
import { defaultNodeId } from '../suite-index.ts'
import { isInstalled } from '../../interpolation/load-optional.ts'

const GIVEN = ['app_url', 'echo_url']
const CONNECTION = ['insecure', 'http2', 'proxy', 'tls']
/** Keys of a suite whose templates are filled in outside its steps. */
const OUTSIDE = new Set(['variables', 'base_url', 'proxy', 'tls', 'mocks'])

/** Plans a suite as far as it is valid, and reports all its problems. */
export async function planSuite(written: JsonObject, context: LoadContext): Promise<SuitePlan> {
  keepValid(written, suiteSchema, context)
  const value = shareSettings(written, context)
  const templates = collectTemplates(value, context)
  checkBaseUrl(value['base_url'], context)
  checkConnection(value, { context, path: [] })
  const references = listRead(templates.references, value)
  const groups = groupReferences(references)
  const plan = await createPlan(value, { ...templates, read: references }, context)
  checkFlow(plan, groups, context)
  setReads(plan, groups)
  checkSteps(plan, groups, context)
  await checkSchemas(plan, context)
  checkMarkup(plan, context)
  checkGraphql(plan, context)
  const faker = templates.references.find(({ kind }) => kind === 'faker')
  if (faker && !isInstalled('@faker-js/faker/locale/en'))
    context.reportAt(faker.range, {
      message: 'Generated data needs the package `@faker-js/faker`, which is not installed.',
      hint: 'Run `npm install --save-dev @faker-js/faker`.',
    })
  return plan
}

async function createPlan(
  value: JsonObject,
  { references, positions, read }: CollectedTemplates & { read: readonly PlacedReference[] },
  context: LoadContext,
): Promise<SuitePlan> {
  const input = value as Partial<SuiteInput>
  const { metadata = {} } = input
  const outside = read.filter(
    ({ path, kind }) => OUTSIDE.has(String(path[0])) && (kind === 'reference' || kind === 'expression'),
  )
  return {
    file: context.source.path,
    folder: context.options.folder,
    nodeId: input.node_id ?? defaultNodeId(context.source.path),
    name: input.suite_name ?? '',
    priority: metadata.priority ?? 'medium',
    tags: metadata.tags ?? [],
    variables: input.variables ?? Object.create(null),
    exports: input.exports ?? [],
    exportReads: Object.create(null),
    depends: input.depends ?? [],
    foreign: [],
    reads: [...new Set(outside.map(({ root }) => root))],
    needs: listNeeds(input, context),
    nodeIdRange: findNode(context.tree, [Object.hasOwn(value, 'node_id') ? 'node_id' : 'suite_name']).range,
    env: listEnv(references, new Set(read)),
    usesFaker: references.some(({ kind }) => kind === 'faker'),
    usesGiven: GIVEN.filter((name) => read.some(({ root }) => root === name)),
    cookies: input.cookies === true,
    connection: pickFields(value, CONNECTION),
    redact: input.redact ?? [],
    mocks: planMocks(input.mocks, { context, path: ['mocks'] }),
    ...planSteps(input, context),
    at: context.locate(['suite_name']),
    templates: positions,
    warnings: [],
    files: context.files,
    isLenient: context.isLenient,
    baseUrl: input.base_url,
    timeout: hasTemplate(input.timeout) ? undefined : readMilliseconds(input.timeout),
    followRedirects: input.follow_redirects,
    // In flow-test-engine, the first failure stops a suite.
    onFailure: input.on_failure ?? (context.isLenient ? 'stop' : undefined),
    prerequisites: input.prerequisites,
    ...planSkip(input.skip, { context, path: ['skip'] }),
    xmlNamespaces: input.xml_namespaces,
    clock: input.clock,
    each: await readRows(input.each, context),
  }
}

/** True for a reference in a variable that suites share. */
function isShared({ path, range }: PlacedReference): boolean {
  return path[0] === 'variables' && range[2] !== undefined
}

/** The references that matter to the suite: those in shared variables only if it reads these variables. */
function listRead(
  references: readonly PlacedReference[],
  { exports = [] }: Partial<SuiteInput>,
): PlacedReference[] {
  const own = references.filter((reference) => !isShared(reference)).map(({ root }) => root)
  const read = new Set(followVariables([...own, ...exports], groupReferences(references)))
  return references.filter((one) => !isShared(one) || read.has('variables') || read.has(String(one.path[1])))
}

/** The environment variables in a suite. Those only in shared variables that it does not read are not required. */
function listEnv(
  references: readonly PlacedReference[],
  read: ReadonlySet<PlacedReference>,
): SuitePlan['env'] {
  const env = new Map<string, SuitePlan['env'][number]>()
  for (const reference of references.filter(({ kind }) => kind === 'env')) {
    const { root: name, range, optional, condition } = reference
    const required = read.has(reference) && !optional && condition !== true
    if (!env.has(name) || (required && !env.get(name)?.required)) env.set(name, { name, range, required })
  }
  return [...env.values()]
}
