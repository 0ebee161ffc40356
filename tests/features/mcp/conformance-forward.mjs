/**
 * The program that the conformance suite starts for each scenario. The client itself runs in the test process.
 */
const { CONFORMANCE_CLIENT = '', MCP_CONFORMANCE_SCENARIO, MCP_CONFORMANCE_CONTEXT = '{}' } = process.env
const answer = await fetch(CONFORMANCE_CLIENT, {
  method: 'POST',
  body: JSON.stringify({
    scenario: MCP_CONFORMANCE_SCENARIO,
    url: process.argv.at(-1),
    context: JSON.parse(MCP_CONFORMANCE_CONTEXT)
  })
})
if (!answer.ok) console.error(await answer.text())
process.exitCode = answer.ok ? 0 : 1
