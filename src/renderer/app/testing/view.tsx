import { render } from '@testing-library/react';
import { createQueryClient, type EngineLink } from '../../client/index.ts';
import { Surroundings } from '../App.tsx';
import { Views } from '../Views.tsx';

/** Renders the view for a place of the app. Without the frame, which would be rendered again with each of its changes. */
export function showView(link: EngineLink, place = window.location.hash): void {
  window.location.hash = place;
  render(
    <Surroundings link={link} queries={createQueryClient()} env="test">
      <Views />
    </Surroundings>,
  );
}
