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
