/* Preloaded into a process: prints its processor time in milliseconds and its largest memory in bytes when it ends. */
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = { processorMs: (userCPUTime + systemCPUTime) / 1000, memory: maxRSS * 1024 };
  process.stderr.write(`\n${JSON.stringify(usage)}\n`);
});
