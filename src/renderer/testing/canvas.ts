import { vi } from 'vitest';

/** Gives every canvas a context that draws nothing, as the test page has none, until `vi.restoreAllMocks()`. */
export function blankCanvas(): void {
  const nothing = { width: 0, addColorStop: () => undefined };
  const context = new Proxy<Record<PropertyKey, unknown>>(
    {},
    {
      get: (set, name) => (name in set ? set[name] : () => nothing),
      set: (set, name, value) => Reflect.set(set, name, value),
    },
  );
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as unknown as null);
}
