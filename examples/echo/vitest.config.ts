import { suites } from 'suitecase/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({ plugins: [suites({ extend: './suitecase.extend.ts' })] })
