/** An SSH configuration dropped on the window; kept for the lifetime of the window, as a reload of the page needs it again. */
const KEY = 'kneepoint-ssh-config';

export interface DroppedConfig {
  readonly name: string;
  readonly text: string;
}

/** Stores it, replacing any previous one; returns the address of the page that lists its hosts. */
export function keepDroppedConfig(name: string, text: string): string {
  sessionStorage.setItem(KEY, JSON.stringify({ name, text }));
  return `/hosts/import?dropped=${encodeURIComponent(name)}`;
}

/** Undefined if another one has been dropped since. */
export function droppedConfig(wanted: string): DroppedConfig | undefined {
  const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
  const { name, text }: Partial<Record<string, unknown>> = typeof kept === 'object' && kept !== null ? { ...kept } : {};
  return typeof text === 'string' && name === wanted ? { name, text } : undefined;
}
