/** The pages, in the order in which the navigation has them. */
import { lazy } from 'preact-iso'
import { isEverywhere, may } from '../api/session.ts'
import type { IconName } from '../parts/icon.tsx'

export type PageProps = {
  /** The path behind the page's own, such as `/shop/orders`, or nothing. */
  readonly rest?: string
}

const readsAll = () => may('read')
const administers = () => may('admin')

export const pages = [
  {
    name: 'Home',
    path: '/',
    icon: 'home',
    isShown: () => true,
    component: lazy(() => import('../pages/home/index.tsx')),
  },
  {
    name: 'Streams',
    path: '/console/streams',
    icon: 'streams',
    isShown: readsAll,
    component: lazy(() => import('../pages/streams/index.tsx')),
  },
  {
    name: 'Doors in',
    path: '/console/doors',
    icon: 'enter',
    isShown: readsAll,
    component: lazy(() => import('../pages/doors/index.tsx')),
  },
  {
    name: 'Query',
    path: '/console/query',
    icon: 'query',
    isShown: readsAll,
    component: lazy(() => import('../pages/query/index.tsx')),
  },
  {
    name: 'Saved',
    path: '/console/saved',
    icon: 'saved',
    isShown: readsAll,
    component: lazy(() => import('../pages/saved/index.tsx')),
  },
  {
    name: 'Graph',
    path: '/console/graph',
    icon: 'graph',
    isShown: readsAll,
    component: lazy(() => import('../pages/graph/index.tsx')),
  },
  {
    name: 'Models',
    path: '/console/models',
    icon: 'models',
    isShown: () => may('read') || may('train'),
    component: lazy(() => import('../pages/models/index.tsx')),
  },
  {
    name: 'Tables',
    path: '/console/tables',
    icon: 'tables',
    isShown: readsAll,
    component: lazy(() => import('../pages/tables/index.tsx')),
  },
  {
    name: 'Objects',
    path: '/console/objects',
    icon: 'objects',
    isShown: readsAll,
    component: lazy(() => import('../pages/objects/index.tsx')),
  },
  {
    name: 'Notifications',
    path: '/console/notifications',
    icon: 'notifications',
    isShown: () => may('read') && isEverywhere(),
    component: lazy(() => import('../pages/notifications/index.tsx')),
  },
  {
    name: 'Keys',
    path: '/console/keys',
    icon: 'keys',
    isShown: administers,
    component: lazy(() => import('../pages/keys/index.tsx')),
  },
  {
    name: 'Changes',
    path: '/console/changes',
    icon: 'changes',
    isShown: administers,
    component: lazy(() => import('../pages/changes/index.tsx')),
  },
  {
    name: 'Help',
    path: '/console/help',
    icon: 'book',
    isShown: () => true,
    component: lazy(() => import('../pages/help/index.tsx')),
  },
] satisfies readonly {
  readonly name: string
  readonly path: string
  readonly icon: IconName
  /** Whether the key that the page has may use it. */
  readonly isShown: () => boolean
  readonly component: unknown
  /** Not there yet: the navigation leaves it out. */
  readonly isStub?: boolean
}[]
