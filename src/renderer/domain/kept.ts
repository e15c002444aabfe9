import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';

/** Values that outlive their views for as long as the window is open: they are stored with the results of the engine. */
const keyOf = (name: string): readonly string[] => ['kept', name];

function keep(queries: QueryClient, name: string, value: unknown): void {
  queries.setQueryDefaults(['kept'], { gcTime: Number.POSITIVE_INFINITY });
  queries.setQueryData(keyOf(name), value);
}

/** State that outlives its view for as long as the window is open. Only one view has it at a time. */
export function useKept<T>(name: string, initial: T): readonly [value: T, set: (value: T) => void] {
  const queries = useQueryClient();
  const [value, setValue] = useState<T>(() => queries.getQueryData<T>(keyOf(name)) ?? initial);
  const set = useCallback(
    (next: T): void => {
      keep(queries, name, next);
      setValue(() => next);
    },
    [queries, name],
  );
  return [value, set];
}

/**
 * The parameters in the address of a list, so that Back and links lead to the same one. A link without parameters shows the list as it was
 * left in this window.
 */
export function useListParameters(): readonly [URLSearchParams, (parameters: string[][]) => void] {
  const queries = useQueryClient();
  const [path] = useLocation();
  const [parameters, setParameters] = useSearchParams();
  const [left, setLeft] = useState(() =>
    parameters.size === 0 ? (queries.getQueryData<string>(keyOf(`list ${path}`)) ?? '') : '',
  );
  useLayoutEffect(() => {
    if (left === '') return;
    setLeft('');
    setParameters(left, { replace: true });
  }, [left, setParameters]);
  const address = left === '' ? parameters.toString() : left;
  useEffect(() => keep(queries, `list ${path}`, address), [queries, path, address]);
  return [left === '' ? parameters : new URLSearchParams(left), (next) => setParameters(next, { replace: true })];
}

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
