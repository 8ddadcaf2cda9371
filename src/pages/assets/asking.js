// While a lookup runs: polls until it ends, then replaces the content of this page with the finished one. After a failed
// lookup: counts down and tries again.

/** A page that nobody watches mustn't ask forever. */
const MAX_RETRIES = 5;

async function waitUntilReady(box) {
  for (let attempt = 0; attempt < 8; attempt++) {
    const response = await fetch(box.dataset.asking).catch(() => null);
    if (response?.status === 204) return true;
    // The service itself waits before it sends 202.
    if (response?.status !== 202) await new Promise((resolve) => setTimeout(resolve, 2000));
  }
  return false;
}

async function showFinishedPage() {
  const response = await fetch(location.href, { headers: { Accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  document.title = page.title;
  document.querySelector('main').replaceWith(page.querySelector('main'));
  for (const { src } of page.querySelectorAll('script[type=module]')) await import(src);
  // Another lookup may have started meanwhile.
  if (document.querySelector('[data-asking]')) location.reload();
}

/** After a while, says that this takes longer than usual. */
function announceDelay(box) {
  const { lateAfter, late } = box.dataset;
  if (!late) return;
  setTimeout(() => {
    if (!box.isConnected) return;
    box.classList.add('late');
    box.querySelector('h2').textContent = late;
  }, lateAfter * 1000);
}

async function waitFor(boxes) {
  boxes.forEach(announceDelay);
  const ready = await Promise.all(boxes.map(waitUntilReady));
  if (ready.every(Boolean)) return showFinishedPage().catch(() => location.reload());
  for (const box of boxes) {
    box.classList.add('late');
    box.querySelector('h2, [role=status]').textContent =
      'This is taking longer than usual. Reload the page in a minute.';
  }
}

/** Reloads the page when the time is up and somebody looks at it. The browser keeps `history.state` over a reload. */
function countDown(link) {
  const retries = history.state?.retries ?? 0;
  if (retries >= MAX_RETRIES) return;
  const timer = link.parentElement.querySelector('[role=timer]');
  let seconds = Number(link.dataset.retry);
  function tick() {
    if (seconds > 0) {
      const minutes = Math.ceil(seconds / 60);
      const left = seconds < 90 ? `${seconds} ${seconds === 1 ? 'second' : 'seconds'}` : `${minutes} minutes`;
      timer.textContent = `Trying again in ${left}.`;
      seconds -= 1;
    } else if (!document.hidden) {
      clearInterval(interval);
      timer.textContent = 'Trying again…';
      history.replaceState({ retries: retries + 1 }, '');
      location.reload();
    }
  }
  const interval = setInterval(tick, 1000);
  tick();
}

const boxes = [...document.querySelectorAll('[data-asking]')];
if (boxes.length > 0) await waitFor(boxes);
// The finished page may say that the lookup failed.
document.querySelectorAll('[data-retry]').forEach(countDown);
