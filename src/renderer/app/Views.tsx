import { Button } from '@mantine/core';
import { Component, type ReactNode, useRef } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { problemOf } from '../../shared/model/problem.ts';
import { EmptyState, Page, ProblemBanner, TableSkeleton } from '../ui/index.ts';
import { ShownView } from './lazyView.ts';
import { ROUTES, SECTIONS } from './routes.ts';
import { useListPlaces } from './useListPlaces.ts';

const LISTS = SECTIONS.map(({ to }) => to);

/** The view for the current address. */
export function Views() {
  const [path] = useLocation();
  const main = useRef<HTMLElement>(null);
  useListPlaces(main, path, LISTS);
  return (
    <main id="main" ref={main} className="kp-main" tabIndex={-1}>
      <ErrorBoundary place={path}>
        <Switch>
          {ROUTES.map(({ path: pattern, view }) => (
            <Route key={pattern} path={pattern}>
              <ShownView key={pattern} view={view} waiting={<Loading />} />
            </Route>
          ))}
          <Route>
            <NoSuchPlace />
          </Route>
        </Switch>
      </ErrorBoundary>
    </main>
  );
}

const Loading = () => (
  <Page>
    <TableSkeleton />
  </Page>
);

const NoSuchPlace = () => (
  <EmptyState title="Page not found" action={<Link href="/">Open the library</Link>}>
    It may have been deleted, or the link is incomplete.
  </EmptyState>
);

interface Properties {
  /** Changes with navigation: a broken view is then reset. */
  place: string;
  children: ReactNode;
}
interface State {
  error: unknown;
  place: string;
}

/** If a view breaks, shows that and keeps the frame. */
class ErrorBoundary extends Component<Properties, State> {
  override state: State = { error: undefined, place: this.props.place };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error };
  }

  static getDerivedStateFromProps(properties: Properties, state: State): Partial<State> | null {
    return properties.place === state.place ? null : { error: undefined, place: properties.place };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <Page>
        <ProblemBanner
          problem={{
            message: `This view failed: ${problemOf(error).message}`,
            safe: 'Measured data is safe, and running sessions continue.',
            next: 'Reload the page, or open another view.',
          }}
          actions={
            <Button variant="default" onClick={() => window.location.reload()}>
              Reload the page
            </Button>
          }
        />
      </Page>
    );
  }
}
