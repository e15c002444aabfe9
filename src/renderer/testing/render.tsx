import { MantineProvider } from '@mantine/core';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createQueryClient, type EngineLink, EngineProvider } from '../client/index.ts';

/** Shows a piece of the page by itself. */
export const renderPiece = (piece: ReactNode) => render(<MantineProvider env="test">{piece}</MantineProvider>);

/** Shows a piece that asks an engine. */
export const renderWithEngine = (link: EngineLink, piece: ReactNode) =>
  renderPiece(
    <EngineProvider link={link} queries={createQueryClient()}>
      {piece}
    </EngineProvider>,
  );
