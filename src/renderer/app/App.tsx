import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { Router } from 'wouter';
import { type EngineLink, EngineProvider } from '../client/index.ts';
import { theme } from '../ui/index.ts';
import { Frame } from './Frame.tsx';
import { hrefOf, useAppLocation, useAppSearch } from './location.ts';

interface AppProperties {
  link: EngineLink;
  queries: QueryClient;
  /** `test` turns transitions and portals off. */
  env?: 'default' | 'test';
}

/** The whole page, given its connection to the engine. */
export const App = ({ link, queries, env = 'default' }: AppProperties) => (
  <MantineProvider theme={theme} defaultColorScheme="auto" env={env}>
    <Notifications position="bottom-right" />
    <EngineProvider link={link} queries={queries}>
      <Router hook={useAppLocation} searchHook={useAppSearch} hrefs={hrefOf}>
        <Frame />
      </Router>
    </EngineProvider>
  </MantineProvider>
);
