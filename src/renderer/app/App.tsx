import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import type { PropsWithChildren } from 'react';
import { Router } from 'wouter';
import { type EngineLink, EngineProvider, useLinkStatus } from '../client/index.ts';
import { styleNonce, theme } from '../ui/index.ts';
import { Frame } from './Frame.tsx';
import { hrefOf, useAppLocation, useAppSearch } from './location.ts';
import { NoAccess } from './NoAccess.tsx';

interface AppProperties {
  link: EngineLink;
  queries: QueryClient;
  /** `test` turns transitions, portals and the variables of the style sheet off. */
  env?: 'default' | 'test';
}

/** The whole page, given its connection to the engine. */
export const App = (properties: AppProperties) => (
  <Surroundings {...properties}>
    <Door />
  </Surroundings>
);

/** What every part of the page finds around it. */
export const Surroundings = ({ link, queries, env = 'default', children }: PropsWithChildren<AppProperties>) => (
  <MantineProvider
    theme={theme}
    defaultColorScheme="auto"
    env={env}
    withCssVariables={env !== 'test'}
    withGlobalClasses={env !== 'test'}
    getStyleNonce={styleNonce}
  >
    <Notifications position="bottom-right" className="kp-notices" />
    <EngineProvider link={link} queries={queries}>
      <Router hook={useAppLocation} searchHook={useAppSearch} hrefs={hrefOf}>
        {children}
      </Router>
    </EngineProvider>
  </MantineProvider>
);

/** A tab that had access keeps showing what it has, with a banner above it. */
function Door() {
  const { times, obstacle } = useLinkStatus();
  return times === 0 && obstacle ? <NoAccess obstacle={obstacle} /> : <Frame />;
}
