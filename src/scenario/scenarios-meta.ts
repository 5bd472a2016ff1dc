/** How one scenario condition came out. */
export type ScenarioEvaluation = {
  index: number
  condition: string
  matched: boolean
  executed: boolean
  branch: 'none' | 'then' | 'else'
  assertions_added: number
  captures_added: number
  /** False after the first match; `matched` then means nothing. */
  evaluated: boolean
}

/** How the scenarios of a step came out. Steps without scenarios have none. */
export type ScenariosMeta = {
  has_scenarios: true
  executed_count: number
  evaluations: ScenarioEvaluation[]
}
