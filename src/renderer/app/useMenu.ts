import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { onMenu } from '../client/index.ts';

/** Does what is chosen in the menu of the desktop window. */
export function useMenu(): void {
  const [, go] = useLocation();
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  useEffect(
    () =>
      onMenu(window, (command) => {
        if (command.do === 'open') go(command.path);
        else if (command.do === 'search') spotlight.open();
        else setColorScheme(other);
      }),
    [go, setColorScheme, other],
  );
}
