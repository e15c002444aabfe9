import { Button } from '@mantine/core';
import { Component, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { problemOf } from '../../shared/model/problem.ts';
import { EmptyState, Page, ProblemBanner, TableSkeleton } from '../ui/index.ts';
import { ShownView } from './lazyView.ts';
import { ROUTES, SECTIONS } from './routes.ts';

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
    It may have been removed, or the link is incomplete.
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

/** After this time a list is as tall as it will be. */
const LONGEST_MS = 3000;
/** Events after which the user determines the scroll position. */
const OWN_SCROLLING = ['wheel', 'keydown', 'pointerdown', 'touchstart'] as const;

/** Keeps the scroll position of each list while the window is open, and restores it on return. Other views keep their own. */
function useListPlaces(main: RefObject<HTMLElement | null>, path: string, lists: readonly string[]): void {
  const places = useRef(new Map<string, number>());
  useLayoutEffect(() => {
    const element = main.current;
    if (!element || !lists.includes(path)) return;
    const wanted = places.current.get(path) ?? 0;
    const watched = new Set<Element>();
    const reach = (): void => {
      // The list grows while it is drawn; observing one again would notify at once.
      for (const child of element.children) {
        if (!watched.has(child)) observer.observe(child);
        watched.add(child);
      }
      element.scrollTop = wanted;
      if (element.scrollTop >= wanted - 1) end();
    };
    const observer = new ResizeObserver(reach);
    const timer = setTimeout(() => end(), LONGEST_MS);
    const end = (): void => {
      observer.disconnect();
      clearTimeout(timer);
      for (const event of OWN_SCROLLING) element.removeEventListener(event, end);
      element.addEventListener('scroll', keep);
    };
    const keep = (): void => void places.current.set(path, element.scrollTop);
    for (const event of OWN_SCROLLING) element.addEventListener(event, end, { passive: true });
    reach();
    return () => {
      end();
      element.removeEventListener('scroll', keep);
      // The next view starts at its top, unless it keeps its own position.
      element.scrollTop = 0;
    };
  }, [main, path, lists]);
}
