/** What a check saw: a short line when all is well, and one finding for each thing that is not. */
export interface Outcome {
	/** Shown beside "ok", e.g. "84 kB, 61 files". */
	detail: string;
	/** Empty when the check passed. */
	findings: string[];
}

/** Runs checks one after another and prints a line for each; remembers how many passed and failed. */
export class Report {
	private passed = 0;
	private failed = 0;

	/** @param print receives whole lines without the line feed. */
	constructor(private readonly print: (line: string) => void) {}

	/**
	 * Runs one check and prints what it saw. A check that throws has failed with that message as its finding.
	 * @returns whether it passed
	 */
	async check(name: string, run: () => Outcome | Promise<Outcome>): Promise<boolean> {
		const { detail, findings } = await outcomeOf(run);
		if (findings.length === 0) {
			this.passed += 1;
			this.print(`ok    ${name}: ${detail}`);
			return true;
		}
		this.failed += 1;
		this.print(`FAIL  ${name}`);
		for (const finding of findings) this.print(indented(finding));
		return false;
	}

	/** Prints the sum of all checks. @returns the exit code: 1 when anything was found */
	close(): 0 | 1 {
		this.print(`${this.passed} passed, ${this.failed} failed`);
		return this.failed === 0 ? 0 : 1;
	}
}

async function outcomeOf(run: () => Outcome | Promise<Outcome>): Promise<Outcome> {
	try {
		return await run();
	} catch (error) {
		return { detail: '', findings: [error instanceof Error ? error.message : String(error)] };
	}
}

function indented(text: string): string {
	return text.trimEnd().replace(/^/gm, '      ');
}
