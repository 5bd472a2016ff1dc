import { isScalar, parseAllDocuments, type Document, type YAMLError } from 'yaml'
import type { Problem, ProblemCode } from '../errors.ts'
import type { Json } from '../json.ts'
import type { Range } from '../source.ts'
import { convertNode, type Conversion } from './convert-yaml.ts'
import type { SourceNode } from './source-tree.ts'

/** What a YAML text holds: its value, where every part of it stands, and everything wrong with it. */
export type YamlReading = { value: Json | undefined; tree: SourceNode; problems: Problem[] }

/** Limits on a suite file. */
export type LoadLimits = {
  /** Bytes of text; default 10 MB. */
  fileSize: number
}

export const DEFAULT_LOAD_LIMITS: LoadLimits = { fileSize: 10 * 1024 * 1024 }

/** Reads one YAML 1.2 (core schema) document; never throws for what the text says. */
export function readYaml(text: string, limits: LoadLimits = DEFAULT_LOAD_LIMITS): YamlReading {
  const tree: SourceNode = { range: [0, Math.min(text.length, 1)] }
  if (text.length > limits.fileSize)
    return refuse(tree, {
      code: 'too-large',
      message: `The file has ${text.length} characters; the limit is ${limits.fileSize}.`,
      hint: 'Split the suite, or raise the `limits.fileSize` option.',
    })
  const documents = parseDocuments(text)
  if (documents === 'too-deep')
    return refuse(tree, {
      code: 'too-large',
      message: 'The file nests deeper than 100 levels.',
      hint: 'Flatten the data.',
    })
  const [document] = documents
  const syntax = documents
    .flatMap((each) => [...each.errors, ...each.warnings])
    .map((error) => describeSyntax(text, error))
  if (syntax.length > 0) return { value: undefined, tree, problems: syntax }
  if (!document || document.contents === null || isEmptyScalar(document))
    return refuse(tree, {
      code: 'empty-file',
      message: 'The file is empty.',
      hint: 'A suite needs at least `suite_name` and `steps`.',
    })
  const severalAt = documents[1]?.range[0]
  if (severalAt !== undefined)
    return refuse(
      { range: [severalAt, severalAt + 3] },
      {
        code: 'several-documents',
        message: 'The file holds several YAML documents.',
        hint: 'Keep one suite per file; remove the `---` lines.',
      },
    )
  const conversion: Conversion = { text, problems: [], anchors: new Map(), active: new Set(), size: 0 }
  const converted = convertNode(document.contents, conversion, 0)
  return { value: converted.value, tree: converted.node, problems: conversion.problems }
}

function parseDocuments(text: string): Document.Parsed[] | 'too-deep' {
  try {
    const parsed = parseAllDocuments(text, {
      uniqueKeys: false,
      prettyErrors: false,
      resolveKnownTags: false,
      logLevel: 'silent',
    })
    return Array.isArray(parsed) ? parsed : []
  } catch (error) {
    // The composer recurses: only nesting far beyond our limit gets here.
    if (error instanceof RangeError) return 'too-deep'
    throw error
  }
}

function isEmptyScalar(document: Document.Parsed): boolean {
  const { contents } = document
  return isScalar(contents) && contents.value === null && !contents.source && !contents.tag
}

function refuse(
  tree: SourceNode,
  problem: { code: ProblemCode; message: string; hint: string },
): YamlReading {
  return { value: undefined, tree, problems: [{ ...problem, severity: 'error', range: tree.range }] }
}

const CODES: Partial<Record<string, ProblemCode>> = {
  MULTIPLE_DOCS: 'several-documents',
  TAG_RESOLVE_FAILED: 'unknown-tag',
  NON_STRING_KEY: 'bad-key',
  BAD_ALIAS: 'unknown-alias',
}

function describeSyntax(text: string, error: YAMLError): Problem {
  const start = Math.min(error.pos[0], Math.max(0, text.length - 1))
  const range: Range = [start, Math.max(start + 1, Math.min(error.pos[1], text.length))]
  const code =
    CODES[error.code] ?? (/unresolved alias/i.test(error.message) ? 'unknown-alias' : 'yaml-syntax')
  const message = `${error.message.replace(/\s+at line \d+.*$/s, '').replace(/\.?$/, '.')}`
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, endOfLine(text, start))
  const hint = hintFor(code, line, error.message)
  return { code, severity: 'error', message, range, ...(hint && { hint }) }
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  return end === -1 ? text.length : end
}

function hintFor(code: ProblemCode, line: string, message: string): string | undefined {
  if (/[:\-[,]\s*\{\{/.test(line)) return "Put quotes around values that start with `{{`: key: '{{name}}'."
  if (code === 'unknown-tag')
    return 'Only the tags of the YAML core schema are known: remove the tag or quote the text.'
  if (code === 'unknown-alias')
    return 'Define the anchor (`&name`) above the alias (`*name`), or quote the text.'
  if (line.includes('\t') || /tab/i.test(message)) return 'Indent with spaces, not tabs.'
  return undefined
}
