/** Fails if two files export the same name: a name stands for one thing. */
import { globSync, readFileSync } from 'node:fs'

const files = globSync('{src,plugin,server}/**/*.{ts,tsx}').filter(
  (file) => !/\.test(?:-d)?\.tsx?$|[\\/](?:fixtures|testing)[\\/]/.test(file),
)

const places = new Map<string, Set<string>>()
for (const file of files)
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
    /^export (?:async )?(?:function\*?|const|class|type|interface) (\w+)/gm,
  ))
    places.set(name, (places.get(name) ?? new Set()).add(file))

const problems = [...places].filter(([, where]) => where.size > 1)
for (const [name, where] of problems)
  console.error(`${name}: exported by ${[...where].join(' and ')}; rename one of them`)
if (problems.length > 0) process.exitCode = 1
