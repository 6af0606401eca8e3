/** Waits until the check throws no more; its last error where that takes too long. */
export async function eventually(check: () => void | Promise<void>, withinMs = 5000): Promise<void> {
  const end = Date.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }
}
