import { MantineProvider } from '@mantine/core';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createQueryClient, type EngineLink, EngineProvider } from '../client/index.ts';

/** Shows a piece of the page by itself. */
export const renderPiece = (piece: ReactNode) =>
  render(
    // No test looks at colours, and a style sheet makes every question for a role several times as expensive.
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      {piece}
    </MantineProvider>,
  );

/** Shows a piece that asks an engine. */
export const renderWithEngine = (link: EngineLink, piece: ReactNode) =>
  renderPiece(
    <EngineProvider link={link} queries={createQueryClient()}>
      {piece}
    </EngineProvider>,
  );
