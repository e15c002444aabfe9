import { Select } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Instance } from './engine.ts';

interface FindProperties {
  /** In the order of the lines. */
  names: readonly string[];
  instance: Instance | undefined;
}

/** Lines that are too many for a legend: the one that is chosen comes forward. */
export function FindLine({ names, instance }: FindProperties) {
  const [chosen, setChosen] = useState<string | null>(null);
  const seriesName = chosen !== null && names.includes(chosen) ? chosen : undefined;
  useEffect(() => {
    if (!instance || seriesName === undefined) return;
    // The picture may be drawn anew, and forgets then who stood in front.
    const bringForward = (): void => instance.dispatchAction({ type: 'highlight', seriesName });
    bringForward();
    instance.on('finished', bringForward);
    return () => {
      if (instance.isDisposed()) return;
      instance.off('finished', bringForward);
      instance.dispatchAction({ type: 'downplay', seriesName });
    };
  }, [instance, seriesName]);
  return (
    <Select
      aria-label="Line to highlight"
      placeholder={`Highlight one of ${names.length}`}
      w={230}
      searchable
      clearable
      nothingFoundMessage="No such line"
      data={[...names]}
      value={seriesName ?? null}
      onChange={setChosen}
    />
  );
}
