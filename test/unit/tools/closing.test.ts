import { onceLines, runningLines } from '../../../tools/host/closing';

const owner = { email: 'demo@n8n.example', password: 'secret' };
const audio = 'demo/output/morning-show.mp3';
const logFile = 'demo/.state/logs/n8n.log';
const all = { succeeded: ['Morning show', 'Classify rows'], failed: [] };
const oneFailed = { succeeded: ['Classify rows'], failed: ['Morning show'] };
const url = 'http://127.0.0.1:5679/workflow/abc';
const execution = `${url}/executions/7`;

describe('The last lines of a demo that runs', () => {
	it('are the addresses of the show and its results, its audio, the sign-in, and one next step', () => {
		expect(runningLines(all, { url, execution, audio }, owner, true, 42_000)).toBe(
			`All 2 examples succeeded after 42 s.

  Show      http://127.0.0.1:5679/workflow/abc
  Results   http://127.0.0.1:5679/workflow/abc/executions/7
  Audio     demo/output/morning-show.mp3
  Sign in   demo@n8n.example
  Password  secret

Next step: open the address of the show, sign in, and click Execute workflow. Ctrl-C stops the demo.`,
		);
	});
});

describe('The last lines of --once', () => {
	it('say how it went and that nothing runs any more', () => {
		expect(onceLines(all, audio, logFile, true, 42_000)).toBe(
			`All 2 examples succeeded in 42 s; the audio of the show is demo/output/morning-show.mp3.
n8n and the emulator have stopped; npm start keeps them running.`,
		);
	});

	it.each([[all], [oneFailed]])('contain no address', (tally) => {
		expect(onceLines(tally, audio, logFile, true, 42_000)).not.toMatch(/https?:|127\.0\.0\.1|localhost/);
	});
});
