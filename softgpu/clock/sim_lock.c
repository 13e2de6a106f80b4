// SPDX-License-Identifier: GPL-2.0
/*
 * Sleeping locks that may be held while simulated time passes.
 *
 * Who owns a lock, and who is next, is decided by a gate under the clock's
 * lock: strictly first come, first served, with direct hand-over.  The real
 * lock below is taken after the gate let us through, so it is never contended;
 * it is there for lockdep and for the real clock.
 */
#include <linux/export.h>
#include "clock/clock_priv.h"

static void sim_gate_init(struct sim_gate *gate)
{
	gate->active = 0;
	INIT_LIST_HEAD(&gate->waiters);
}

static bool sim_gate_fits(const struct sim_gate *gate, bool write)
{
	return write ? !gate->active : gate->active >= 0;
}

static void sim_gate_take(struct sim_gate *gate, bool write)
{
	if (write)
		gate->active = -1;
	else
		gate->active++;
}

/* Caller holds sim_clk.lock.  Those who wait go first. */
static bool sim_gate_try_locked(struct sim_gate *gate, bool write)
{
	if (!list_empty(&gate->waiters) || !sim_gate_fits(gate, write))
		return false;
	sim_gate_take(gate, write);
	return true;
}

static bool sim_gate_try(struct sim_gate *gate, bool write)
{
	bool ok;

	raw_spin_lock_irq(&sim_clk.lock);
	ok = sim_gate_try_locked(gate, write);
	raw_spin_unlock_irq(&sim_clk.lock);
	return ok;
}

static void sim_gate_enter(struct sim_gate *gate, bool write)
{
	sim_might_block();
	if (!sim_is_running()) {
		/* Module load and the like; may not meet a participant here. */
		while (!sim_gate_try(gate, write)) {
			WARN_ON_ONCE(1);
			schedule_timeout_idle(1);
		}
		return;
	}

	raw_spin_lock_irq(&sim_clk.lock);
	if (!sim_gate_try_locked(gate, write)) {
		sim_clk.running->write = write;
		/* The one who opens the gate counts us in. */
		sim_block_in(&gate->waiters, SIM_LOCKING);
	}
	raw_spin_unlock_irq(&sim_clk.lock);
}

static void sim_gate_leave(struct sim_gate *gate)
{
	struct sim_task *t;

	raw_spin_lock_irq(&sim_clk.lock);
	if (gate->active < 0)
		gate->active = 0;
	else
		gate->active--;
	while ((t = list_first_entry_or_null(&gate->waiters, struct sim_task, node))) {
		if (!sim_gate_fits(gate, t->write))
			break;
		sim_gate_take(gate, t->write);
		list_del_init(&t->node);
		sim_make_ready(t);
	}
	raw_spin_unlock_irq(&sim_clk.lock);
}

/* Mutex. */

void __sim_mutex_init(struct sim_mutex *m, const char *name, struct lock_class_key *key)
{
	__mutex_init(&m->mutex, name, key);
	sim_gate_init(&m->gate);
}
EXPORT_SYMBOL_NS_GPL(__sim_mutex_init, SOFTGPU);

void sim_mutex_destroy(struct sim_mutex *m)
{
	mutex_destroy(&m->mutex);
}
EXPORT_SYMBOL_NS_GPL(sim_mutex_destroy, SOFTGPU);

void sim_mutex_lock(struct sim_mutex *m)
{
	if (!sim_clk.is_virtual) {
		mutex_lock(&m->mutex);
		return;
	}
	/* A trylock tells lockdep nothing about what is held already. */
	might_lock(&m->mutex);
	sim_gate_enter(&m->gate, true);
	if (WARN_ON_ONCE(!mutex_trylock(&m->mutex)))
		mutex_lock(&m->mutex);
}
EXPORT_SYMBOL_NS_GPL(sim_mutex_lock, SOFTGPU);

void sim_mutex_unlock(struct sim_mutex *m)
{
	mutex_unlock(&m->mutex);
	if (sim_clk.is_virtual)
		sim_gate_leave(&m->gate);
}
EXPORT_SYMBOL_NS_GPL(sim_mutex_unlock, SOFTGPU);

/* Reader/writer lock. */

void __sim_rwsem_init(struct sim_rwsem *s, const char *name, struct lock_class_key *key)
{
	__init_rwsem(&s->sem, name, key);
	sim_gate_init(&s->gate);
}
EXPORT_SYMBOL_NS_GPL(__sim_rwsem_init, SOFTGPU);

void sim_down_read(struct sim_rwsem *s)
{
	if (!sim_clk.is_virtual) {
		down_read(&s->sem);
		return;
	}
	might_lock_read(&s->sem);
	sim_gate_enter(&s->gate, false);
	if (WARN_ON_ONCE(!down_read_trylock(&s->sem)))
		down_read(&s->sem);
}
EXPORT_SYMBOL_NS_GPL(sim_down_read, SOFTGPU);

void sim_up_read(struct sim_rwsem *s)
{
	up_read(&s->sem);
	if (sim_clk.is_virtual)
		sim_gate_leave(&s->gate);
}
EXPORT_SYMBOL_NS_GPL(sim_up_read, SOFTGPU);

void sim_down_write(struct sim_rwsem *s)
{
	if (!sim_clk.is_virtual) {
		down_write(&s->sem);
		return;
	}
	might_lock(&s->sem);
	sim_gate_enter(&s->gate, true);
	if (WARN_ON_ONCE(!down_write_trylock(&s->sem)))
		down_write(&s->sem);
}
EXPORT_SYMBOL_NS_GPL(sim_down_write, SOFTGPU);

void sim_up_write(struct sim_rwsem *s)
{
	up_write(&s->sem);
	if (sim_clk.is_virtual)
		sim_gate_leave(&s->gate);
}
EXPORT_SYMBOL_NS_GPL(sim_up_write, SOFTGPU);

/* Semaphore.  Virtual clock: the count belongs to the clock's lock. */

void sim_sem_init(struct sim_sem *s, unsigned int count)
{
	spin_lock_init(&s->lock);
	s->count = count;
	sim_waitq_init(&s->wq);
}
EXPORT_SYMBOL_NS_GPL(sim_sem_init, SOFTGPU);

static bool sim_sem_take(struct sim_sem *s)
{
	if (!s->count)
		return false;
	s->count--;
	return true;
}

bool sim_sem_trylock(struct sim_sem *s)
{
	unsigned long flags;
	bool ok;

	if (sim_clk.is_virtual) {
		raw_spin_lock_irqsave(&sim_clk.lock, flags);
		ok = sim_sem_take(s);
		raw_spin_unlock_irqrestore(&sim_clk.lock, flags);
	} else {
		spin_lock_irqsave(&s->lock, flags);
		ok = sim_sem_take(s);
		spin_unlock_irqrestore(&s->lock, flags);
	}
	return ok;
}
EXPORT_SYMBOL_NS_GPL(sim_sem_trylock, SOFTGPU);

void sim_sem_down(struct sim_sem *s)
{
	sim_might_block();
	if (!sim_clk.is_virtual) {
		wait_event_idle(s->wq.real, sim_sem_trylock(s));
		return;
	}
	if (!sim_is_running()) {
		while (!sim_sem_trylock(s)) {
			WARN_ON_ONCE(1);
			schedule_timeout_idle(1);
		}
		return;
	}
	raw_spin_lock_irq(&sim_clk.lock);
	/* A free unit means that nobody waits: sim_sem_up() hands over directly. */
	if (!sim_sem_take(s))
		sim_block_in(&s->wq.waiters, SIM_LOCKING);
	raw_spin_unlock_irq(&sim_clk.lock);
}
EXPORT_SYMBOL_NS_GPL(sim_sem_down, SOFTGPU);

void sim_sem_up(struct sim_sem *s)
{
	struct sim_task *t;
	unsigned long flags;

	if (!sim_clk.is_virtual) {
		spin_lock_irqsave(&s->lock, flags);
		s->count++;
		spin_unlock_irqrestore(&s->lock, flags);
		wake_up_all(&s->wq.real);
		return;
	}
	raw_spin_lock_irqsave(&sim_clk.lock, flags);
	t = list_first_entry_or_null(&s->wq.waiters, struct sim_task, node);
	if (t) {
		list_del_init(&t->node);
		sim_make_ready(t);
	} else {
		s->count++;
	}
	raw_spin_unlock_irqrestore(&sim_clk.lock, flags);
}
EXPORT_SYMBOL_NS_GPL(sim_sem_up, SOFTGPU);
