import { render } from 'preact'
import './shell/theme.ts'
import { returns } from './api/connection.ts'
import { readSession } from './api/sign-in.ts'
import { Frame } from './shell/frame.tsx'

const page = document.getElementById('page')
if (page) render(<Frame />, page)

// A service that was away may have other keys; while it is away, the banner says so.
returns.subscribe(() => void readSession().catch(() => {}))
