import { render } from 'preact'
import { App } from './app.tsx'
import { readData } from './state/data.ts'

render(<App data={readData()} />, document.getElementById('app') as HTMLElement)
