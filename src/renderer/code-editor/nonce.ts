/**
 * The nonce with which the content policy lets styles in, where the page was given one: CodeMirror puts its own into a `style` element.
 */
export function nonceOfPage(): string | undefined {
  const place = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  // A policy that came with the answer empties the attribute and leaves the property.
  return place?.nonce || place?.getAttribute('nonce') || undefined;
}
