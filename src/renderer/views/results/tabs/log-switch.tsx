import { Switch } from '@mantine/core';
import { useChoice } from '../useResults.ts';

const ASKED = ['log', 'zero'] as const;

/** Whether an axis is logarithmic: as requested in the address under `name`; absent, the chart decides by its values. */
export function useLogChoice(name: string, isUsual: boolean) {
  const [chosen, setChosen] = useChoice(name);
  const asked = ASKED.find((each) => each === chosen);
  const isLog = asked ? asked === 'log' : isUsual;
  const control = (
    <Switch
      label="Log axis"
      checked={isLog}
      onChange={(event) => {
        const next = event.currentTarget.checked;
        setChosen(next === isUsual ? undefined : next ? 'log' : 'zero');
      }}
    />
  );
  return { asked, isLog, control };
}
