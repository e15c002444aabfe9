declare global {
  /** Read by the library that keeps the page from scrolling behind a dialog. */
  var __webpack_nonce__: string | undefined;
}

/** What a style element that a library adds must bear, so that the content policy takes it; empty where there is none. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

/** For libraries that ask a global: to be called before anything is drawn. */
export function shareStyleNonce(): void {
  globalThis.__webpack_nonce__ = styleNonce();
}
