import { afterAll, vi } from 'vitest';

/** Files of a process share one page, and this is run for each of them. */
const PREPARED = Symbol.for('kneepoint.prepared');

if (!Reflect.has(globalThis, PREPARED)) {
  Reflect.set(globalThis, PREPARED, true);
  // Tasks must be removed before React is loaded.
  Object.assign(console, { createTask: undefined });
  await prepareReact();
  await prepareQueries();
  prepareStyles();
}

/**
 * Between two files Vitest fetches nothing: a view that a test has opened and not waited for would then fail to load, in every later file of this
 * process.
 */
afterAll(() => vi.dynamicImportSettled());

/**
 * React's development build creates a task and a stack trace for every element, so that a debugger shows its origin. No test uses these,
 * and they took a quarter of the time. Stacks end at a limit, which is set as already reached.
 */
async function prepareReact(): Promise<void> {
  const react = await import('react');
  const internals = Object.entries(react).find(([name]) => name.startsWith('__CLIENT_INTERNALS'))?.[1];
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set: () => undefined });
}

async function prepareQueries(): Promise<void> {
  const { configure, getConfig } = await import('@testing-library/react');
  configure(({ getElementError }) => ({
    // For a busy machine. Passing tests do not take longer.
    asyncUtilTimeout: 60_000,
    // The whole page as text is added to the final error, not to each one on the way there.
    getElementError: (message, container) =>
      Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true
        ? Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
        : getElementError(message, container),
  }));
}

/**
 * Computed styles of a page without style sheets, as tests have: an element looks as its own `style` defines, and is hidden with its
 * ancestors. The test page computes every property of every ancestor again after each change, which took a sixth of the time.
 */
function prepareStyles(): void {
  const computed = window.getComputedStyle.bind(window);
  const displays = new Map<string, string>();

  /** For an element without its own style: only its kind decides. */
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
    // A code editor has its own style sheet, and reads it.
    return element.closest('.cm-editor') ? Reflect.get(computed(element), name) : own;
  }

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
}
