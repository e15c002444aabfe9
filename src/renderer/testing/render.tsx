import { MantineProvider } from '@mantine/core';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createQueryClient, type EngineLink, EngineProvider } from '../client/index.ts';

/** Renders a component by itself. */
export const renderPiece = (piece: ReactNode) =>
  render(
    // No test checks colours, and a style sheet makes every query by role several times as expensive.
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      {piece}
    </MantineProvider>,
  );

/** Renders a component that uses an engine. */
export const renderWithEngine = (link: EngineLink, piece: ReactNode) =>
  renderPiece(
    <EngineProvider link={link} queries={createQueryClient()}>
      {piece}
    </EngineProvider>,
  );
