/**
 * React's development build asks for a task and takes a stack for every element it makes, so that a debugger shows where an element comes from. No test
 * looks at one, and they took a quarter of the time. Tasks must be gone before React is loaded; stacks end at a limit, which counts as reached.
 */
Object.assign(console, { createTask: undefined });
const react = await import('react');
const internals = Object.entries(react).find(([name]) => name.startsWith('__CLIENT_INTERNALS'))?.[1];
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set: () => undefined });

const { configure, getConfig } = await import('@testing-library/react');
configure(({ getElementError }) => ({
  // Of a busy machine. A test that passes takes no longer for it.
  asyncUtilTimeout: 60_000,
  // The whole page as text goes into the error that is shown at last, not into each one on the way there.
  getElementError: (message, container) =>
    Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true
      ? Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
      : getElementError(message, container),
}));

const computed = window.getComputedStyle.bind(window);
const displays = new Map<string, string>();

/** Of an element without a style of its own: nothing but its kind says so. */
function displayOf(element: HTMLElement): string {
  const display = displays.get(element.tagName) ?? computed(element).display;
  displays.set(element.tagName, display);
  return display;
}

function visibilityOf(element: HTMLElement | null): string {
  if (element === null) return '';
  const own = element.hasAttribute('style') ? element.style.visibility : '';
  return own === '' ? visibilityOf(element.parentElement) : own;
}

function writtenIn(element: HTMLElement, name: string): unknown {
  if (name === 'visibility') return visibilityOf(element);
  const own: unknown = element.hasAttribute('style') ? Reflect.get(element.style, name) : '';
  if (own !== '') return own;
  if (name === 'display') return displayOf(element);
  // A code editor brings a style sheet, and reads what it says.
  return element.closest('.cm-editor') ? Reflect.get(computed(element), name) : own;
}

/**
 * Computed styles of a page without style sheets, which is what tests have: an element looks as its own `style` says, and is hidden with what it is in.
 * The page of tests works out every property of every ancestor anew after each change, which took a sixth of the time.
 */
const styleOf = (element: HTMLElement): CSSStyleDeclaration =>
  new Proxy({} as CSSStyleDeclaration, {
    get: (_, name) =>
      name === 'getPropertyValue'
        ? (property: string) => writtenIn(element, property)
        : typeof name === 'string' && writtenIn(element, name),
  });

for (const view of [window, document.defaultView ?? window])
  view.getComputedStyle = (element) =>
    element instanceof HTMLElement && element.isConnected ? styleOf(element) : computed(element);

export {};
