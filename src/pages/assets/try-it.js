// Asks the API for a specimen and shows what it says, in place of the example.

for (const form of document.querySelectorAll('[data-try]')) {
  form.hidden = false;
  const [request, answer] = form.parentElement.querySelectorAll('figure');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void show(form, request, answer);
  });
}

async function show(form, request, answer) {
  const path = form.dataset.try.replace('{vin}', form.elements.vin.value);
  const url = new URL(path, location.href).href;
  request.querySelector('code').textContent = `curl ${url}`;
  request.querySelector('[data-copy]').dataset.copy = `curl ${url}`;
  const status = answer.querySelector('b');
  const body = answer.querySelector('code');
  try {
    const response = await fetch(path);
    body.textContent = JSON.stringify(await response.json(), null, 2);
    status.textContent = response.status;
    status.className = `now mono ${response.ok ? 'good' : 'bad'}`;
  } catch {
    body.textContent = 'The service could not be reached. Try again in a minute.';
    status.textContent = '';
  }
}
