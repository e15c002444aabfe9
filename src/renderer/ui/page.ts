declare global {
  /** Read by the library that keeps the page from scrolling behind a dialog. */
  var __webpack_nonce__: string | undefined;
}

/** The nonce with which the content policy lets in a style element that a library adds; empty if the page has none. */
export function styleNonce(): string {
  const place = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  // A policy that came with the answer empties the attribute and leaves the property.
  return place?.nonce || place?.getAttribute('nonce') || '';
}

/** For libraries that ask a global: to be called before anything is drawn. */
export function shareStyleNonce(): void {
  globalThis.__webpack_nonce__ = styleNonce();
}

/** A file made by the engine. */
interface MadeFile {
  fileName: string;
  mediaType: string;
  bytes: Uint8Array;
}

/** Hands a file to the person through the page's own download, which asks for a place where that is set so. */
export function saveFile({ fileName, mediaType, bytes }: MadeFile): void {
  const address = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: mediaType }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}
