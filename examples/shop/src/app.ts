import { bodyParser } from '@koa/bodyparser'
import Koa from 'koa'
import { readSettings } from './settings.ts'
import { answerProblems } from './problem.ts'
import { createRoutes } from './routes.ts'

const settings = readSettings(process.env)
const routes = createRoutes(settings)

/** The shop, ready to listen. */
const app = new Koa()
app.use(answerProblems)
app.use(bodyParser({ enableTypes: ['json'] }))
app.use(routes.routes())
app.use(routes.allowedMethods())

export default app
