/* The equations of motion; `call_gk_dynamics` is that of one mechanism. */

void gk_init_dynamics(gk_dynamics *m)
{
    memset(m, 0, sizeof *m);
    for (int k = 0; k < (int)(sizeof begin_dynamics / sizeof *begin_dynamics); k++)
        m->numbers[begin_dynamics[k].at] = begin_dynamics[k].value;
}

static int call_dynamics(gk_dynamics *m, double time, const double *values, const double *rates, int choice)
{
    double *x = m->numbers;
    x[OF_TIMES] = time;
    for (int k = 0; k < GK_DRIVERS; k++) x[OF_Y + k] = values[k], x[OF_Y + GK_DRIVERS + k] = rates[k];
    call_gk_dynamics(m, choice);
    for (int k = 0; k < (int)sizeof m->codes; k++)
        if (m->codes[k]) return m->codes[k];
    return 0;
}

int gk_equations(gk_dynamics *m, double time, const double *values, const double *rates, double *mass, double *force)
{
    int status = call_dynamics(m, time, values, rates, 0);
    for (int i = 0; i < GK_DRIVERS; i++) {
        force[i] = m->numbers[OF_FORCE + i];
        for (int k = 0; k <= i; k++)
            mass[GK_DRIVERS * i + k] = mass[GK_DRIVERS * k + i] = m->numbers[OF_MASS + GK_DRIVERS * i + k];
    }
    return status;
}

int gk_free_accelerations(gk_dynamics *m, double time, const double *values, const double *rates, double *accelerations)
{
    int status = call_dynamics(m, time, values, rates, 1);
    for (int k = 0; k < GK_DRIVERS; k++) accelerations[k] = m->numbers[OF_OUT + GK_DRIVERS + k];
    return status;
}

int gk_driving_forces(gk_dynamics *m, double time, const double *values, const double *rates,
    const double *accelerations, double *forces)
{
    int status = call_dynamics(m, time, values, rates, 0);
    for (int i = 0; i < GK_DRIVERS; i++) {
        forces[i] = -m->numbers[OF_FORCE + i];
        for (int k = 0; k < GK_DRIVERS; k++)
            forces[i] += m->numbers[OF_MASS + (k <= i ? GK_DRIVERS * i + k : GK_DRIVERS * k + i)] * accelerations[k];
    }
    return status;
}
