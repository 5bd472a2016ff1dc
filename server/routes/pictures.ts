/** Small pictures in the formats of `/image`: a suitcase, or a plain field; base64 where they are binary. */
export const PICTURES = {
  png: [
    'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAgMAAABinRfyAAAACVBMVEUrbLD2rVX///+T53dLAAAAF0lEQVR42mNgQANcC6AE',
    'Y2ioAzEEKgAATY0IraikusIAAAAASUVORK5CYII=',
  ].join(''),
  jpeg: [
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ',
    'EBAQEBAQEBAQEBAQEBAQEBD/wAALCAAQABABAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAA',
    'AAD/2gAIAQEAAD8AAP/Z',
  ].join(''),
  webp: 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA',
  svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#2b6cb0" d="M0 0h16v16H0z"/><path fill="#f6ad55" d="M3 5h10v8H3z"/><path fill="#fff" d="M6 3h4v2H6z"/></svg>\n',
} as const
