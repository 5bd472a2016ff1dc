import * as v from 'valibot'
import { bodyKinds } from '../../request/receive/decode-body.ts'
import { optional, text } from './schema-parts.ts'

/** Keys of a step about the body of its answer. */
export const answerFields = {
  body_as: optional(
    v.picklist(bodyKinds, '`json`, `text`, `xml`, `html` or `bytes`'),
    'How the body of the answer is read, whatever its content type says: json for JSON sent as text/plain; bytes gives it as base64.',
  ),
  save: optional(
    text,
    'Writes the body of the answer, as received, to this file below `outputDir/saved`: invoices/{{number}}.pdf. It is not searched for secrets.',
  ),
}
