/** How a project is set up on a machine that builds it, and how it runs a package's command. */
type Commands = { ci: string; run: string }

/** Files that run the tests in continuous integration, by the option of `init` that adds them. */
export const PIPELINES: Readonly<Record<string, { name: string; write: (commands: Commands) => string }>> = {
  '--github': {
    name: '.github/workflows/test.yml',
    write: ({ ci, run }) => `name: test
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 24 }
      - run: ${ci}
      - run: ${run} vitest run
      - uses: actions/upload-artifact@v4
        if: \${{ !cancelled() }}
        with:
          name: test-report
          path: .vitest/suitecase
          include-hidden-files: true # the folder's name begins with a dot
`,
  },
  '--gitlab': {
    name: '.gitlab-ci.yml',
    write: ({ ci, run }) => `test:
  image: node:24
  script:
    - ${ci}
    - ${run} vitest run --reporter=default --reporter=junit --outputFile.junit=junit.xml
  artifacts:
    when: always
    paths: [.vitest/suitecase]
    reports: { junit: junit.xml }
`,
  },
  '--jenkins': {
    name: 'Jenkinsfile',
    write: ({ ci, run }) => `pipeline {
  agent { docker { image 'node:24' } }
  stages {
    stage('Test') {
      steps {
        sh '${ci}'
        sh '${run} vitest run --reporter=default --reporter=junit --outputFile.junit=junit.xml'
      }
    }
  }
  post {
    always {
      junit 'junit.xml'
      archiveArtifacts artifacts: '.vitest/suitecase/**', allowEmptyArchive: true
    }
  }
}
`,
  },
}
