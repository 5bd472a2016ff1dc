/** Bytes of a body and the type to send them as; `contentType` replaces the author's only for multipart, whose boundary we choose. */
export type BuiltBody = { bytes: Uint8Array; contentType?: string; replaceType?: boolean }
