/** What expressions see besides their variables; functions of the user's own come to it. A variable of the same name wins. */
export const documentedGlobals: Set<string> = new Set(
  `Array BigInt Boolean Date Error Infinity Intl JSON Map Math NaN Number Object RangeError RegExp Set String Symbol
  SyntaxError TypeError atob btoa crypto decodeURI decodeURIComponent encodeURI encodeURIComponent isFinite isNaN
  parseFloat parseInt undefined`.split(/\s+/u),
)
